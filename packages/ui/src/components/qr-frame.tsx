/** The frame of a QR code and the marks in its corners, until the code is computed. */
export function QrFrame() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 33 33"
      className="aspect-square w-full max-w-72 self-center rounded-control bg-input fill-line light:bg-line light:fill-input"
    >
      <path fillRule="evenodd" d={['4 4', '22 4', '4 22'].map((corner) => `M${corner}${MARK}`).join('')} />
    </svg>
  )
}

const MARK = 'h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z'
