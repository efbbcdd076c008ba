import { SCREENS, type ScreenPath } from '../screens.ts'
import type { Locale } from '../texts.ts'
import { isScene, isSceneIn, SCENES, type SceneName } from './scenes.ts'
import { STATES, type State } from './states.ts'

export const MODES = ['dark', 'light'] as const
export type Mode = (typeof MODES)[number]

/** Heights of the viewport by its width: a phone, the smallest phone, a laptop, a phone at 200 %. */
export const HEIGHTS = { 390: 844, 360: 640, 1440: 900, 195: 422 } as const
export type Width = keyof typeof HEIGHTS
/** Taken only where it is asked for. */
const RARE: Width = 195

const LOCALES: readonly Locale[] = ['en', 'zh-HK']

/** A screen, or a scene on one. */
export type Subject = ScreenPath | SceneName

/** The pictures to take: every combination of the lists. */
export interface Choice {
  readonly routes: readonly Subject[]
  readonly locales: readonly Locale[]
  readonly modes: readonly Mode[]
  readonly widths: readonly Width[]
  readonly states: readonly State[]
}

type Words = Readonly<Partial<Record<'route' | 'lang' | 'mode' | 'width' | 'state', readonly string[]>>>

/** Screens that show the outcome of an action that succeeded. */
const OUTCOMES: readonly Subject[] = ['/wallet/sendTransaction']
/** Screens whose main action asks for the product's chain first. */
const ON_CHAIN = /^\/$|^\/(wallet|swap|stake|node|rich)/

/** Reads the options of the command line; an omitted one means everything. @throws Error that names the allowed values. */
export function choose({ route, lang, mode, width, state }: Words): Choice {
  const paths: Subject[] = [...SCREENS.map(({ path }) => path), ...(Object.keys(SCENES) as SceneName[])]
  return {
    // The market's path represents every market.
    routes: only(
      'route',
      paths,
      route?.map((each) => each.replace(/\/markets(?=,|$)/, '/markets/BNBUSDT')),
    ),
    locales: only('lang', LOCALES, lang),
    modes: only('mode', MODES, mode),
    widths: only('width', Object.keys(HEIGHTS).map(Number) as Width[], width).filter(
      (each) => width !== undefined || each !== RARE,
    ),
    states: only('state', Object.keys(STATES) as State[], state),
  }
}

/** The subjects of a state. */
export function routesIn(state: State, { routes }: Pick<Choice, 'routes'>): readonly Subject[] {
  return routes.filter((each) => {
    if (isScene(each)) return isSceneIn(each, state)
    if (state === 'success') return OUTCOMES.includes(each)
    return state !== 'wrong-chain' || ON_CHAIN.test(each)
  })
}

function only<Value extends string | number>(
  option: string,
  all: readonly Value[],
  words: readonly string[] | undefined,
): readonly Value[] {
  if (words === undefined) return all
  const chosen = words.flatMap((each) => each.split(','))
  for (const word of chosen) {
    if (!all.some((value) => String(value) === word))
      throw new Error(`There is no --${option} ${word}. There are: ${all.join(', ')}.`)
  }
  return all.filter((value) => chosen.includes(String(value)))
}
