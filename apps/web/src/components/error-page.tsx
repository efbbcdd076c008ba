import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'

/** The error page: a status, its message and the description of the error (specification §2). */
export function ErrorPage({
  status = 500,
  description,
  children,
}: {
  status?: number
  description: string
  children?: ReactNode
}) {
  const message = status === 404 ? m.error_page_not_found_title() : m.error_page_internal_title()
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-12 text-center">
      <p className="figures text-total text-muted">{status}</p>
      <h1 className="text-screen">{message}</h1>
      <p className="max-w-full text-muted [overflow-wrap:anywhere]">{description}</p>
      {children}
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        {status !== 404 && (
          <Button look="quiet" icon="refresh-cw" onClick={() => location.reload()}>
            {m.app_reload()}
          </Button>
        )}
        <Link to="/{-$locale}" className={buttonClass()}>
          {m.app_go_home()}
        </Link>
      </div>
    </div>
  )
}
