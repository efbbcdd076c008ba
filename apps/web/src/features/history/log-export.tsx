import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../browser/save-file.ts'
import { Button } from '../../components/button.tsx'
import { showToast } from '../../components/toast-store.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatBytes } from '../../i18n/format.ts'
import { fetchLogFile } from './fetch-log-file.ts'
import type { LogFilter } from './log-filter.ts'
import { logQuery } from './log-query.ts'

type Export =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly bytes: number }
  | { readonly status: 'failed'; readonly error: unknown }

/** Saves what the filter lets through as a file, says how much of it has come, and can be given up. */
export function LogExport({ filter, disabled }: { filter: LogFilter; disabled: boolean }) {
  const [state, setState] = useState<Export>({ status: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const control = new AbortController()
    running.current = control
    setState({ status: 'running', bytes: 0 })
    try {
      const { blob, fileName } = await fetchLogFile(logQuery(filter, new Date()), {
        signal: control.signal,
        onProgress: (bytes) => setState({ status: 'running', bytes }),
      })
      saveFile(blob, fileName)
      showToast(m.history_export_done({ name: fileName }))
      setState({ status: 'idle' })
    } catch (error) {
      setState(control.signal.aborted ? { status: 'idle' } : { status: 'failed', error })
    }
  }
  const isRunning = state.status === 'running'
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <Button
          look="quiet"
          icon="download"
          busy={isRunning}
          disabled={disabled}
          onClick={start}
          className="figures flex-1"
        >
          {isRunning ? m.history_export_running({ size: formatBytes(state.bytes) }) : m.history_export()}
        </Button>
        {isRunning && (
          <Button look="quiet" onClick={() => running.current?.abort()}>
            {m.app_cancel()}
          </Button>
        )}
      </div>
      {state.status === 'failed' && (
        <p role="alert" className="text-label text-down">
          {m.history_export_failed({ reason: errorText(state.error) })}
        </p>
      )}
    </div>
  )
}
