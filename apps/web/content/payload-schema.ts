import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { FORMULA_NAMES } from '../src/content/formula-names.ts'

/** The schema of the files in this folder. The build refuses everything else. */

/** Written by `generate.ts`. Read and not imported: Vite's configuration is loaded before the file is there. */
const LIVE_NAMES = join(import.meta.dirname, '../src/generated/live-names.json')

const filled = z.string().check(z.regex(/^\S(.*\S)?$/, 'empty, or with space around it, or over several lines'))
/** Without figures of the configuration, for places where they are not known. */
const plain = filled.check(z.regex(/^[^{}]*$/, 'must not carry a live figure'))
/** May carry figures of the configuration: `{swap_fee}`. */
const text = filled.check(
  z.refine(
    (words) => !/[{}]/.test(words.replaceAll(/\{(\w+)\}/g, (all, name) => (isLive(name) ? '' : all))),
    'carries a live figure that does not exist',
  ),
)
const id = z.string().check(z.regex(/^[a-z][a-z-]*$/, 'not an id of a section'))
/** Live lines of the borrowed ratio. */
const LTV_LINES = ['ltv_initial', 'ltv_warning', 'ltv_liquidation'] as const

const heading = z.strictObject({
  type: z.literal('heading'),
  text: plain,
  /** With an id the heading begins a section, which is in the table of contents and can be linked to. */
  id: z.optional(id),
  /** The feature whose opening makes the section's figures apply; until then they are marked. */
  feature: z.optional(z.enum(['stake', 'liquidation', 'blind-box', 'team', 'rich', 'proof', 'market-data'])),
})
const paragraph = z.strictObject({ type: z.literal('paragraph'), text })
const list = z.strictObject({
  type: z.literal('list'),
  ordered: z.optional(z.boolean()),
  items: z.array(text).check(z.minLength(1)),
})
const formula = z.strictObject({
  type: z.literal('formula'),
  name: z.enum(FORMULA_NAMES),
  /** The formula in words, for screen readers. */
  spoken: plain,
  /** How it is rounded, where it is used: under the formula. */
  note: z.optional(text),
})
const table = z.strictObject({
  type: z.literal('table'),
  caption: plain,
  columns: z.array(plain).check(z.minLength(2), z.maxLength(4)),
  rows: z.array(z.array(text)).check(z.minLength(1)),
})
const liveName = z.string().check(z.refine(isLive, 'a live figure that does not exist'))
const live = z.strictObject({
  type: z.literal('live'),
  title: plain,
  facts: z.array(z.strictObject({ label: plain, value: liveName })).check(z.minLength(1)),
})
const links = z.strictObject({
  type: z.literal('links'),
  items: z
    .array(
      z.union([
        z.strictObject({
          text: plain,
          detail: plain,
          to: z.enum([
            '/white',
            '/node/blindBox',
            '/node/income',
            '/swap/exchange',
            '/swap/activate',
            '/wallet',
            '/wallet/logs',
            '/wallet/buy',
          ]),
          section: z.optional(id),
        }),
        /** Not a screen: another page of this server, or the author whom a licence requires. Opens beside the app. */
        z.strictObject({ text: plain, detail: plain, href: z.enum(['/api/docs', 'https://www.tradingview.com/']) }),
      ]),
    )
    .check(z.minLength(1)),
})
const note = z.strictObject({ type: z.literal('note'), text })

/** Every figure has a title and says in words what it shows. */
const figure = { type: z.literal('figure'), title: plain, description: plain }
const flow = z.strictObject({
  ...figure,
  name: z.literal('flow'),
  steps: z.array(z.strictObject({ title: plain, text: plain })).check(z.minLength(2)),
})
const split = z.strictObject({ ...figure, name: z.literal('split') })
const utilisation = z.strictObject({
  ...figure,
  name: z.literal('utilisation'),
  across: plain,
  up: plain,
  /** The pools whose live curves are drawn. */
  assets: z.array(z.enum(['USDT', 'BNB'])).check(z.minLength(1)),
})
const ltv = z.strictObject({
  ...figure,
  name: z.literal('ltv'),
  lines: z.array(z.strictObject({ at: z.enum(LTV_LINES), text })).check(z.minLength(1)),
})

const block = z.union([heading, paragraph, list, formula, table, live, links, note, flow, split, utilisation, ltv])

export const payloadSchema = z.strictObject({
  /** The path of its screen, as its file is named. */
  route: z.string(),
  locale: z.enum(['zh-HK', 'en']),
  title: plain,
  /** One or two sentences: the page's description. */
  summary: plain.check(z.maxLength(220)),
  /** The section of the whitepaper that explains this part. */
  section: z.optional(id),
  blocks: z.optional(z.array(block).check(z.minLength(1))),
})

export type Payload = z.infer<typeof payloadSchema>
export type Block = z.infer<typeof block>
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>

let liveNames: ReadonlySet<string> | undefined

/** Returns whether a feature has a live figure of this name. */
function isLive(name: string): boolean {
  liveNames ??= new Set(JSON.parse(readFileSync(LIVE_NAMES, 'utf8')) as string[])
  return liveNames.has(name)
}
