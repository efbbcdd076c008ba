import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
// @ts-expect-error The plugin has no types.
import messageFormat from '@inlang/plugin-message-format'

/**
 * The part of `@inlang/sdk` that the message compiler needs to read our texts. The real package loads texts into a
 * versioned database, 580 MB of native code and WebAssembly, before the compiler reads them back.
 * See docs/decisions/0015-install-size.md.
 */

interface Settings {
  readonly baseLocale: string
  readonly locales: readonly string[]
}

/** The plugin that reads `<name>.messages.<locale>.json`; it ships no types. */
interface Plugin {
  toBeImportedFiles(args: { settings: Settings }): Promise<readonly { path: string; locale: string }[]>
  importFiles(args: {
    settings: Settings
    files: readonly { locale: string; content: Uint8Array }[]
  }): Promise<ImportedTexts>
}

interface ImportedTexts {
  readonly bundles: readonly { id: string; declarations?: readonly unknown[] }[]
  readonly messages: readonly { bundleId: string; locale: string; selectors?: readonly unknown[] }[]
  readonly variants: readonly {
    messageBundleId: string
    messageLocale: string
    matches?: readonly unknown[]
    pattern?: readonly unknown[]
  }[]
}

/** Reads the settings and all texts of the project in the folder `path`. */
export async function loadProjectFromDirectory({ path }: { readonly path: string }) {
  const settings = JSON.parse(readFileSync(join(path, 'settings.json'), 'utf8')) as Settings
  const plugin = messageFormat as Plugin
  const files = (await plugin.toBeImportedFiles({ settings })).map((file) => ({
    locale: file.locale,
    content: readFileSync(resolve(dirname(path), file.path)),
  }))
  return {
    /** Represents the database; {@link selectBundleNested} reads it. */
    db: await plugin.importFiles({ settings, files }),
    settings: { get: async () => settings },
    errors: { get: async (): Promise<Error[]> => [] },
    close: async () => {},
  }
}

/** All texts by key: for each its messages by language, and for each message its variants. */
export function selectBundleNested({ bundles, messages, variants }: ImportedTexts) {
  const messagesOf = Map.groupBy(messages, ({ bundleId }) => bundleId)
  const variantsOf = Map.groupBy(variants, (each) => `${each.messageBundleId} ${each.messageLocale}`)
  const nested = bundles.map(({ id, declarations = [] }) => ({
    id,
    declarations,
    messages: (messagesOf.get(id) ?? []).map(({ locale, selectors = [] }) => ({
      id: `${id} ${locale}`,
      bundleId: id,
      locale,
      selectors,
      variants: (variantsOf.get(`${id} ${locale}`) ?? []).map(({ matches = [], pattern = [] }) => ({
        matches,
        pattern,
      })),
    })),
  }))
  return { execute: async () => nested.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

/** Only names it: the compiler tells its plugins' errors from others by this class. */
export class PluginError extends Error {}

/** The compiler imports this for projects in memory, which we do not have. */
export function loadProjectInMemory(): never {
  throw new Error('apps/web/inlang-sdk only loads projects from a directory')
}
