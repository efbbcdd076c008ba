import { coversOpening, type OpeningWindow } from '@clearwell/rules/opening-hours'
import { opening } from '../../config/fields.ts'
import { defineRule, type Rule, type Words } from './rule.ts'
import { openingPart } from './rule-parts.ts'

/** Daily opening times in Hong Kong. Users lose by each minute that is not open any more. */
export function openingRule<Config>(of: {
  readonly key: string
  readonly configKey: string
  readonly title: Words
  read(config: Config): OpeningWindow
}): Rule<OpeningWindow, Config> {
  return defineRule<OpeningWindow, Config>({
    key: of.key,
    configKeys: [of.configKey],
    title: of.title,
    role: 'risk',
    schema: opening,
    read: of.read,
    worsens: (before, after) => !coversOpening(after, before),
    fault: (window) =>
      window !== 'always' && window.opens === window.closes ? 'must not open when it closes' : undefined,
    parts: [openingPart({ en: 'Open', 'zh-HK': '開放時間' }, (window) => window)],
  })
}
