import type { PayloadInput } from '@clearwell/api/routes'
import { saveFile } from '@clearwell/ui/browser/save-file.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { intlLocale } from '@clearwell/ui/i18n/locale.ts'
import { useEffect, useRef, useState } from 'react'
import { ApiError, NoResponseError } from '../../api/api-error.ts'
import { download } from '../../api/download.ts'
import { m } from '../../generated/messages.ts'

type Export =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly bytes: number }
  | { readonly status: 'failed'; readonly error: unknown }

/** Saves the filtered entries as a file, with progress and a way to cancel. */
export function LogExport({ query }: { query: () => PayloadInput<'logsCsv'> }) {
  const { state, start, cancel } = useLogExport(query)
  const isRunning = state.status === 'running'
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Button look="quiet" icon="download" busy={isRunning} onClick={start} className="figures flex-1">
          {isRunning ? m.history_export_running({ size: formatBytes(state.bytes) }) : m.history_export()}
        </Button>
        {isRunning && (
          <Button look="quiet" onClick={cancel}>
            {m.app_cancel()}
          </Button>
        )}
      </div>
      <ExportFailure state={state} />
    </div>
  )
}

/** The progress of an export that an icon started, or why it failed. Nothing before and after. */
export function ExportProgress({ state, cancel }: Pick<LogExporting, 'state' | 'cancel'>) {
  if (state.status !== 'running') return <ExportFailure state={state} />
  return (
    <p className="flex items-center justify-between gap-2 text-secondary text-muted">
      <span className="figures">{m.history_export_running({ size: formatBytes(state.bytes) })}</span>
      <button type="button" onClick={cancel} className="min-h-11 px-2 text-accent underline underline-offset-4">
        {m.app_cancel()}
      </button>
    </p>
  )
}

function ExportFailure({ state }: { state: Export }) {
  return (
    state.status === 'failed' && (
      <p role="alert" className="text-label text-warn">
        {m.history_export_failed({ reason: errorText(state.error) })}
      </p>
    )
  )
}

interface LogExporting {
  readonly state: Export
  readonly start: () => Promise<void>
  readonly cancel: () => void
}

/** One export at a time of the entries that `query` selects when it starts. Leaving the screen cancels it. */
export function useLogExport(query: () => PayloadInput<'logsCsv'>): LogExporting {
  const [state, setState] = useState<Export>({ status: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const control = new AbortController()
    running.current = control
    setState({ status: 'running', bytes: 0 })
    try {
      const { blob, fileName } = await fetchLogFile(query(), {
        signal: control.signal,
        onProgress: (bytes) => setState({ status: 'running', bytes }),
      })
      saveFile(blob, fileName)
      showToast(m.history_export_done({ name: fileName }))
      setState({ status: 'idle' })
    } catch (error) {
      setState(control.signal.aborted ? { status: 'idle' } : { status: 'failed', error })
      if (error instanceof ApiError) showError(error)
    }
  }
  return { state, start, cancel: () => running.current?.abort() }
}

interface LogFile {
  readonly blob: Blob
  readonly fileName: string
}

const FALLBACK_NAME = 'clearwell-log.csv'

/**
 * Downloads the balance log as a file. The server writes the file while sending it, so its size is unknown: `onProgress`
 * gets the bytes received so far.
 *
 * @throws ApiError when the server refuses.
 * @throws NoResponseError when no file arrived, or only a part of it.
 * @throws the signal's reason when the user cancelled.
 */
export async function fetchLogFile(
  query: PayloadInput<'logsCsv'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<LogFile> {
  const { response, fileName = FALLBACK_NAME } = await download('logsCsv', query, { signal })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk)
      bytes += chunk.length
      onProgress(bytes)
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new NoResponseError(`the file broke off after ${bytes} bytes`, { cause: error })
  }
  return { blob: new Blob(chunks, { type: response.headers.get('content-type') ?? 'text/csv' }), fileName }
}

/** A stream is not iterable everywhere yet: Safari lacks it. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** The size of a file, such as `1.2 MB`; in whole kilobytes while it is small. */
export function formatBytes(bytes: number): string {
  const large = bytes >= 1_000_000
  const options = {
    style: 'unit',
    unit: large ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: large ? 1 : 0,
  } as const
  return new Intl.NumberFormat(intlLocale(), options).format(bytes / (large ? 1_000_000 : 1_000))
}
