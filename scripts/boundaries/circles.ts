/**
 * Finds files that import each other in a circle, imports of types included: such files can only be understood, moved and
 * tested together.
 *
 * @param imports For each file the files that it imports.
 * @returns One shortest circle for each group of files that reach each other, its first file repeated at the end.
 */
export function findCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  return groupsOf(imports).map((group) => {
    const paths = [...group].toSorted().flatMap((start) => shortestCircle(start, group, imports) ?? [])
    return paths.toSorted((a, b) => a.length - b.length)[0] ?? []
  })
}

/** Files that reach each other, by Tarjan's algorithm for strongly connected components. */
function groupsOf(imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string>[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: Set<string>[] = []
  const visit = (file: string) => {
    const index = order.size
    order.set(file, index)
    low.set(file, index)
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? index, low.get(next) ?? index))
    }
    if (low.get(file) !== index) return
    const group = new Set(stack.splice(stack.indexOf(file)))
    if (group.size > 1 || imports.get(file)?.has(file)) groups.push(group)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return groups
}

/** The shortest way from `start` back to itself inside `group`. */
function shortestCircle(
  start: string,
  group: ReadonlySet<string>,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): string[][] {
  const seen = new Set<string>()
  const ways = [[start]]
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [[...way, start]]
      if (!group.has(next) || seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return []
}
