import { formatList } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'

interface Benefit {
  /** Its name in `features` of the configuration. */
  readonly feature: string
  /** A line in the list of benefits. */
  readonly text: () => string
  /** The same as verbs within a sentence. Without them it appears in the list only, so that the sentence stays short. */
  readonly verbs?: readonly (() => string)[]
}

/** The features that need an activated account, in the order of the navigation. */
const BENEFITS: readonly Benefit[] = [
  { feature: 'swap', text: m.activation_gives_swap, verbs: [m.activation_do_swap] },
  { feature: 'stake', text: m.activation_gives_stake, verbs: [m.activation_do_pledge, m.activation_do_borrow] },
  { feature: 'liquidation', text: m.activation_gives_liquidation },
  { feature: 'blind-box', text: m.activation_gives_box, verbs: [m.activation_do_box] },
  { feature: 'team', text: m.activation_gives_team },
  { feature: 'rich', text: m.activation_gives_rich },
]

/** The benefits of activation as lines: those of the features that are open, and those of the planned ones. */
export function activationBenefits(features: readonly string[]): { open: string[]; planned: string[] } {
  const isOpen = ({ feature }: Benefit) => features.includes(feature)
  return {
    open: BENEFITS.filter(isOpen).map(({ text }) => text()),
    planned: BENEFITS.filter((benefit) => !isOpen(benefit)).map(({ text }) => text()),
  }
}

/** Why to activate, up to the price that follows. Names open features only. */
export function activationText(features: readonly string[]): string {
  const things = openVerbs(features)
  return things ? m.activation_text({ things }) : m.activation_text_none()
}

/** The first steps of an activated account; empty while no feature that needs activation is open. */
export function activationDoneText(features: readonly string[]): string {
  const things = openVerbs(features)
  return things ? m.activation_done_text({ things }) : ''
}

/** Such as `swap, pledge and borrow`; empty while none of them is open. */
function openVerbs(features: readonly string[]): string {
  const open = BENEFITS.filter(({ feature }) => features.includes(feature))
  return formatList(open.flatMap(({ verbs = [] }) => verbs.map((verb) => verb())))
}
