import { featureScreens } from '../features.ts'
import { merge } from '../manifest/merge.ts'
import { appScreens } from './app.screens.ts'

/** Every screen by its bare path: the screens of the app and of its features. Each has a twin under `/en`. */
export const screens = merge([appScreens, featureScreens])

export type ScreenPath = keyof typeof screens
