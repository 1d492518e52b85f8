//! Circles in a graph of tasks: found in time linear in tasks and edges, without recursion.

/// A circle in the graph whose node `n` waits for `edges(n)`, as node numbers in order: each waits for the one before
/// it, and the first waits for the last. Starts with the circle's lowest node, so the answer depends on the graph alone.
pub(super) fn find_cycle<E>(nodes: usize, mut edges: impl FnMut(usize) -> E) -> Option<Vec<usize>>
where
    E: Iterator<Item = usize>,
{
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; nodes];
    let mut path: Vec<(usize, E)> = Vec::new();
    for root in 0..nodes {
        if marks.get(root) != Some(&Mark::New) {
            continue;
        }
        if let Some(mark) = marks.get_mut(root) {
            *mark = Mark::Open;
        }
        path.push((root, edges(root)));
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            let Some(next) = rest.next() else {
                if let Some(mark) = marks.get_mut(node) {
                    *mark = Mark::Done;
                }
                path.pop();
                continue;
            };
            match marks.get(next) {
                Some(Mark::New) => {
                    if let Some(mark) = marks.get_mut(next) {
                        *mark = Mark::Open;
                    }
                    path.push((next, edges(next)));
                }
                Some(Mark::Open) => {
                    // The path holds "waits for" from left to right; the answer wants the waited-for first.
                    let mut circle: Vec<usize> =
                        path.iter().map(|(node, _)| *node).skip_while(|node| *node != next).collect();
                    circle.reverse();
                    let lowest = circle.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(at, _)| at);
                    circle.rotate_left(lowest);
                    return Some(circle);
                }
                Some(Mark::Done) | None => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(graph: &[&[usize]]) -> Option<Vec<usize>> {
        find_cycle(graph.len(), |node| graph[node].iter().copied())
    }

    // spec: TASK-5
    #[test]
    fn names_a_real_circle_in_order() {
        assert_eq!(cycle(&[&[], &[0], &[0, 1]]), None);
        assert_eq!(cycle(&[&[0]]), Some(vec![0]));
        // 0 waits for 2, 2 for 1, 1 for 0: so 1 waits for 0, 2 for 1, 0 for 2.
        assert_eq!(cycle(&[&[2], &[0], &[1], &[0]]), Some(vec![0, 1, 2]));
        assert_eq!(cycle(&[&[], &[3], &[], &[4], &[1]]).map(|c| c.len()), Some(3));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let n = 200_000;
        assert_eq!(find_cycle(n, |node| (node + 1 < n).then_some(node + 1).into_iter()), None);
        assert_eq!(find_cycle(n, |node| std::iter::once((node + 1) % n)).map(|c| c.len()), Some(n));
    }
}
