import { loadTogether } from '@clearwell/ui/browser/load-together.ts'
import type { AllCommandWords } from './account/lost-command/command-words.ts'
import { type LiveFigures, mergeLiveFigures } from './content/live-figures.ts'
import { activationParts, activationScreens } from './features/activation/activation.screens.ts'
import { alertParts } from './features/alert/alert.screens.ts'
import { blindBoxParts, blindBoxScreens } from './features/blind-box/blind-box.screens.ts'
import { exitParts, exitScreens } from './features/exit/exit.screens.ts'
import { historyParts, historyScreens } from './features/history/history.screens.ts'
import { liquidationScreens } from './features/liquidation/liquidation.screens.ts'
import { marketScreens } from './features/market/market.screens.ts'
import { nodeScreens } from './features/node/node.screens.ts'
import { personalDataScreens } from './features/personal-data/personal-data.screens.ts'
import { planScreens, planSlots } from './features/plan/plan.screens.ts'
import { proofParts, proofScreens } from './features/proof/proof.screens.ts'
import { rankScreens } from './features/rank/rank.screens.ts'
import { richScreens } from './features/rich/rich.screens.ts'
import { stakeScreens } from './features/stake/stake.screens.ts'
import { swapScreens } from './features/swap/swap.screens.ts'
import { teamScreens } from './features/team/team.screens.ts'
import { trustScreens } from './features/trust/trust.screens.ts'
import { walletParts, walletScreens } from './features/wallet/wallet.screens.ts'
import { whiteScreens } from './features/white/white.screens.ts'
import { merge } from './manifest/merge.ts'
import type { PartLoaders } from './manifest/parts.ts'
import type { Screens } from './manifest/screens.ts'
import type { SlotLoaders } from './manifest/slots.ts'
import type { FeatureWords, Words } from './manifest/words.ts'

interface AnyFeature {
  readonly screens?: Screens
  readonly parts?: Partial<PartLoaders>
  readonly slots?: SlotLoaders
  readonly words?: () => Promise<{ readonly default: FeatureWords }>
  readonly commands?: () => Promise<{ readonly default: Partial<AllCommandWords> }>
  readonly figures?: () => Promise<{ readonly default: LiveFigures }>
}

/**
 * The features of the web, by name: the only list of them. The route tree, the menu, the history, the notices,
 * the sheet of lost commands and the live figures derive from it. It is plain data, as each manifest is, because `generate.ts` reads it too.
 */
const features = {
  activation: {
    screens: activationScreens,
    parts: activationParts,
    words: () => import('./features/activation/activation.words.ts'),
    commands: () => import('./features/activation/activation.commands.ts'),
  },
  alert: { parts: alertParts, words: () => import('./features/alert/alert.words.ts') },
  blindBox: {
    screens: blindBoxScreens,
    parts: blindBoxParts,
    words: () => import('./features/blind-box/blind-box.words.ts'),
    commands: () => import('./features/blind-box/blind-box.commands.ts'),
    figures: () => import('./features/blind-box/blind-box.figures.ts'),
  },
  exit: { screens: exitScreens, parts: exitParts, words: () => import('./features/exit/exit.words.ts') },
  history: { screens: historyScreens, parts: historyParts },
  liquidation: {
    screens: liquidationScreens,
    words: () => import('./features/liquidation/liquidation.words.ts'),
    commands: () => import('./features/liquidation/liquidation.commands.ts'),
  },
  market: { screens: marketScreens },
  node: { screens: nodeScreens },
  personalData: { screens: personalDataScreens },
  plan: {
    screens: planScreens,
    slots: planSlots,
    words: () => import('./features/plan/plan.words.ts'),
    commands: () => import('./features/plan/plan.commands.ts'),
    figures: () => import('./features/plan/plan.figures.ts'),
  },
  proof: { screens: proofScreens, parts: proofParts },
  rank: { screens: rankScreens },
  rich: {
    screens: richScreens,
    words: () => import('./features/rich/rich.words.ts'),
    commands: () => import('./features/rich/rich.commands.ts'),
    figures: () => import('./features/rich/rich.figures.ts'),
  },
  session: { words: () => import('./features/session/session.words.ts') },
  stake: {
    screens: stakeScreens,
    words: () => import('./features/stake/stake.words.ts'),
    commands: () => import('./features/stake/stake.commands.tsx'),
    figures: () => import('./features/stake/stake.figures.ts'),
  },
  swap: {
    screens: swapScreens,
    words: () => import('./features/swap/swap.words.ts'),
    commands: () => import('./features/swap/swap.commands.tsx'),
  },
  team: { screens: teamScreens, words: () => import('./features/team/team.words.ts') },
  trust: { screens: trustScreens },
  wallet: {
    screens: walletScreens,
    parts: walletParts,
    words: () => import('./features/wallet/wallet.words.ts'),
    commands: () => import('./features/wallet/wallet.commands.ts'),
  },
  white: { screens: whiteScreens },
} as const satisfies Readonly<Record<string, AnyFeature>>

type Feature = (typeof features)[keyof typeof features]
type Manifest<Key extends keyof AnyFeature> = Extract<Feature, Required<Pick<AnyFeature, Key>>>[Key]

function manifests<Key extends keyof AnyFeature>(key: Key): Manifest<Key>[] {
  return Object.values(features).flatMap((feature: AnyFeature) => (feature[key] ? [feature[key] as Manifest<Key>] : []))
}

export const featureScreens = merge(manifests('screens'))

/** Does not compile while a part has no provider. */
export const featureParts: PartLoaders = merge(manifests('parts'))

/** The slots that each feature fills. A slot may have no filler. */
export const featureSlots: readonly SlotLoaders[] = manifests('slots')

/** Loads the words of all features, one file in a build. Does not compile while a kind of entry or of notice has none. */
export async function loadFeatureWords(): Promise<Words> {
  const all = (await loadTogether(manifests('words').map((load) => load()))).map((module) => module.default)
  return {
    entries: merge(all.flatMap((words) => ('entries' in words ? [words.entries] : []))),
    notices: merge(all.flatMap((words) => ('notices' in words ? [words.notices] : []))),
  }
}

/** Loads the words of all commands. Does not compile while a command that can be lost has none. */
export async function loadFeatureCommands(): Promise<AllCommandWords> {
  return merge((await loadTogether(manifests('commands').map((load) => load()))).map((module) => module.default))
}

/** Loads the live figures of all features, and those of the configuration that belong to none. */
export async function loadFeatureFigures(): Promise<LiveFigures> {
  const all = await loadTogether([import('./content/config.figures.ts'), ...manifests('figures').map((load) => load())])
  return mergeLiveFigures(all.map((module) => module.default))
}
