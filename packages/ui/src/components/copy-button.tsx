import { useEffect, useState } from 'react'
import { copyText } from '../browser/copy-text.ts'
import { m } from '../generated/messages.ts'
import { IconButton } from './icon-button.tsx'
import { COPIED_MS, showToast } from './toast-store.ts'

/** Copies a text and says so for 1.5 s. `label` names what is copied, such as "Copy address". */
export function CopyButton({ text, label = m.app_copy() }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    copyText(text).then(
      () => setCopied(true),
      () => showToast(m.app_copy_failed()),
    )
  return (
    <>
      <IconButton icon={copied ? 'check' : 'copy'} label={copied ? m.app_copied() : label} onClick={copy} />
      <span role="status" className="sr-only">
        {copied ? m.app_copied() : ''}
      </span>
    </>
  )
}
