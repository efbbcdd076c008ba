import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePayload } from './payload.ts'
import { specRouteOf } from './spec-route-of.ts'

/** Keeps the summary of the screen in the page’s description. Loaded by {@link PageDescription}. */
export default function PageSummary() {
  const routeId = useMatches({ select: (matches) => matches.at(-1)?.routeId ?? '' })
  const route = specRouteOf(routeId)
  return route && <Description route={route} />
}

function Description({ route }: { route: NonNullable<ReturnType<typeof specRouteOf>> }) {
  const { data } = usePayload(route)
  const summary = data?.summary
  useEffect(() => {
    if (summary === undefined) return
    // The one that the page came with, if it has one: two descriptions would be one too many.
    const meta = document.head.querySelector('meta[name="description"]') ?? newDescription()
    meta.setAttribute('content', summary)
  }, [summary])
  return null
}

function newDescription(): HTMLMetaElement {
  const meta = document.createElement('meta')
  meta.name = 'description'
  return document.head.appendChild(meta)
}
