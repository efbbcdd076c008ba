import screens from '@clearwell/web/src/generated/screens.json' with { type: 'json' }

/** A path that can be opened: the market's has a name filled in. */
export type ScreenPath = Exclude<keyof typeof screens, '/markets/{name}'> | '/markets/BNBUSDT'

/** A screen to open, perhaps with a query, and the message key of its heading. */
export interface ShownScreen {
  readonly path: string
  readonly heading: string
}

/** All screens of the app. */
export const SCREENS = Object.entries(screens).map(([path, { title }]) => ({
  path: path.replace('{name}', 'BNBUSDT') as ScreenPath,
  heading: title,
}))

/** Screens of payments and swaps that differ for a signed-in user. */
export const SIGNED_IN_SCREENS = SCREENS.filter(({ path }) => /^\/$|^\/wallet|^\/swap|^\/transaction/.test(path))

/** Screens of lending, boxes, the team and the upgrade hub that differ for a signed-in user, each with its main state. */
export const EARNING_SCREENS = SCREENS.filter(({ path }) =>
  /^\/(stake|stake\/pledge|stake\/lend|stake\/lend\/orders|stake\/liquidate|node.*|rich.*|team|referral|ranks)$/.test(
    path,
  ),
)
