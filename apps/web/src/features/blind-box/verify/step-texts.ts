import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { Fact, FigureName, Step, StepName } from '@clearwell/verify/verify-box'
import { m } from '../../../generated/messages.ts'
import { sourceText } from '../source-text.ts'

interface StepText {
  readonly title: () => string
  /** The meaning of the step once it is right. */
  readonly text: () => string
}

export const STEP_TEXTS: Record<StepName, StepText> = {
  commitment: { title: m.verify_commitment, text: m.verify_commitment_text },
  inclusion: { title: m.verify_inclusion, text: m.verify_inclusion_text },
  root: { title: m.verify_root, text: m.verify_root_text },
  block: { title: m.verify_block, text: m.verify_block_text },
  draw: { title: m.verify_draw, text: m.verify_draw_text },
  power: { title: m.verify_power, text: m.verify_power_text },
  total: { title: m.verify_total, text: m.verify_total_text },
  sources: { title: m.verify_sources, text: m.verify_sources_text },
  pool: { title: m.verify_pool, text: m.verify_pool_text },
  share: { title: m.verify_share, text: m.verify_share_text },
}

/** Why a step cannot be checked here. */
export const UNCHECKED_TEXTS: Partial<Record<StepName, () => string>> = {
  block: m.verify_block_unchecked,
  total: m.verify_total_unchecked,
  sources: m.verify_sources_unchecked,
}

export const WARNING_TEXTS: Record<NonNullable<Step['warning']>, () => string> = {
  unseen_root: m.verify_root_unseen,
}

const FACT_NAMES: Readonly<Record<FigureName, () => string>> = {
  seed: m.verify_fact_seed,
  seed_hash: m.verify_fact_seed_hash,
  commitment: m.verify_fact_commitment,
  committed_at: m.verify_fact_committed_at,
  noted_commitment: m.verify_fact_noted_commitment,
  noted_factors: m.verify_fact_noted_factors,
  opens_at: m.verify_fact_opens_at,
  closes_at: m.verify_fact_closes_at,
  leaf_text: m.verify_fact_leaf_text,
  leaf: m.verify_fact_leaf,
  position: m.verify_fact_position,
  path: m.verify_fact_path,
  computed_tree: m.verify_fact_computed_tree,
  tree: m.verify_fact_tree,
  root_text: m.verify_fact_root_text,
  computed_root: m.verify_fact_computed_root,
  boxes_root: m.verify_fact_boxes_root,
  root_at: m.verify_fact_root_at,
  seen_root: m.verify_fact_seen_root,
  seen_at: m.verify_fact_seen_at,
  earliest_block: m.verify_fact_earliest_block,
  block_number: m.verify_fact_block_number,
  block_hash: m.verify_fact_block_hash,
  read_hash: m.verify_fact_read_hash,
  block_time: m.verify_fact_block_time,
  previous_block_time: m.verify_fact_previous_block_time,
  message: m.verify_fact_message,
  digest: m.verify_fact_digest,
  ticket: m.verify_fact_ticket,
  factor: m.verify_fact_factor,
  fees: m.verify_fact_fees,
  level_factor: m.verify_fact_level_factor,
  streak_factor: m.verify_fact_streak_factor,
  power: m.verify_fact_power,
  box_count: m.verify_fact_box_count,
  total_power: m.verify_fact_total_power,
  computed_total: m.verify_fact_computed_total,
}

/** The name of a figure; those of single assets carry theirs in the value. */
export function factName({ name }: Fact): string | undefined {
  return isOfAsset(name) ? undefined : FACT_NAMES[name]()
}

/** Times in the user's zone with the exact one in the title, sources of revenue by their names; all else as it is hashed. */
export function factValue({ name, value }: Fact): string {
  if (isOfAsset(name)) return value.replaceAll(/\[(\w+)\]/g, (_match, kind) => `(${sourceText(kind)})`)
  return /_at$|_time$|^earliest_block$/.test(name) ? formatDateTime(value) : value
}

function isOfAsset(name: Fact['name']): name is `asset_${string}` {
  return name.startsWith('asset_')
}
