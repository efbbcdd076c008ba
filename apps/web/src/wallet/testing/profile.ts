import { CONFIG } from '../../api/config.samples.ts'
import type { Config } from '../../api/config.ts'

export const REQUIRED_CHAIN = CONFIG.chain.id

/** Returns the response of `/config` with these changes. */
export function profileWith(changes: Partial<Config> = {}): Config {
  return { ...CONFIG, product: { en: 'Clearwell', 'zh-HK': '明池' }, ...changes }
}
