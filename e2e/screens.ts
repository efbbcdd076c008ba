import {
  NOT_OPEN_SCREENS,
  OPEN_SCREENS,
  OWN_SCREENS,
  type ScreenPath as WebPath,
} from '@clearwell/web/src/app/screens.ts'

/** A screen's path as it can be opened: that of a market names one. */
export type ScreenPath = Exclude<WebPath, '/markets/{name}'> | '/markets/BNBUSDT'

/** All screens of the app, each with the message that is its heading. */
export const SCREENS = Object.entries({ ...OPEN_SCREENS, ...NOT_OPEN_SCREENS, ...OWN_SCREENS }).map(
  ([path, heading]) => ({ path: path.replace('{name}', 'BNBUSDT') as ScreenPath, heading }),
)

/** Screens of planned parts: they say that they are not open, and fake nothing. */
export const NOT_OPEN = Object.keys(NOT_OPEN_SCREENS) as readonly ScreenPath[]
