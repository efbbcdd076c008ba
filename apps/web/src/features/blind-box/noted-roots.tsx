import { useNotedRoots } from './blind-box.queries.ts'

/** Notes the roots, and shows nothing. */
export default function NotedRoots() {
  useNotedRoots()
  return null
}
