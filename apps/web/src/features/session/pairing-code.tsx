import { encode } from 'uqr'
import { m } from '../../generated/paraglide/messages.js'

/** The quiet zone around the code in modules, as the standard requires. */
const QUIET = 4

/** The QR code of a pairing: dark on white in either mode, since scanners expect that. */
export default function PairingCode({ uri }: { uri: string }) {
  const { size, data } = encode(uri, { ecc: 'L', border: QUIET })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={m.connector_scan_code()}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-72 self-center rounded-control"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
