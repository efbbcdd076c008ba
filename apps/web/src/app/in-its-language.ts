import { type RouteComponent, useLocation } from '@tanstack/react-router'
import { createElement } from 'react'
import { localeOfPath } from '../i18n/locale-path.ts'

const made = new WeakSet<RouteComponent>()

/**
 * A screen that is drawn again in another language and stays the one it was, with what was typed into it. To the router
 * only a parameter has changed, which by itself draws nothing.
 */
export function inItsLanguage(screen: RouteComponent): RouteComponent {
  if (made.has(screen)) return screen
  const drawn = () => {
    useLocation({ select: ({ pathname }) => localeOfPath(pathname) })
    return createElement(screen)
  }
  made.add(drawn)
  // With what the router knows it by, such as how it is fetched ahead.
  return Object.assign(drawn, screen)
}
