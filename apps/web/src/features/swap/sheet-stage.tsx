import { type ReactNode, useEffect, useRef } from 'react'

/**
 * What a sheet shows at one stage. When another stage takes its place the focus goes to it: what had the focus is gone,
 * and whoever hears the screen must hear what came.
 */
export function SheetStage({ name, children }: { name: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const shown = useRef(name)
  useEffect(() => {
    if (shown.current === name) return
    shown.current = name
    element.current?.focus()
  }, [name])
  return (
    <div ref={element} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {children}
    </div>
  )
}
