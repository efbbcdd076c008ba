/**
 * Loads a module, and beside it everything else that it needs, such as the parts and words of other features.
 *
 * @example load: () => together(import('./logs-screen.tsx'), loadWords())
 */
export async function together<Module>(
  module: Promise<Module>,
  ...needs: readonly Promise<unknown>[]
): Promise<Module> {
  const [loaded] = await Promise.all([module, ...needs])
  return loaded
}
