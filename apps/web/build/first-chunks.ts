import type { Rolldown } from 'vite'

/**
 * Puts all that `main`, the path of src/main.tsx, needs before it can draw a screen into three chunks: React, the router
 * with the query client, the app. Left alone they would be forty small ones, which compress worse; as one they would run
 * in one task, during which the page could not answer.
 */
export function firstChunks(main: string): Rolldown.CodeSplittingGroup {
  let needed: ReadonlySet<string> | undefined
  return {
    name(id, context) {
      needed ??= staticImportsOf(main, (each) => context.getModuleInfo(each)?.importedIds ?? [])
      if (!needed.has(id)) return null
      if (/\/node_modules\/(react|react-dom|scheduler)\//.test(id)) return 'react'
      return /\/node_modules\/@tanstack\//.test(id)
        ? 'router'
        : /\/node_modules\/|\/generated\//.test(id)
          ? null
          : 'app'
    },
    includeDependenciesRecursively: false,
  }
}

function staticImportsOf(start: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([start])
  // What is added while the set is walked is walked as well.
  for (const id of found) for (const imported of importsOf(id)) found.add(imported)
  return found
}
