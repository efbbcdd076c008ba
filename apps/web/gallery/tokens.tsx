import theme from '@clearwell/ui/tokens.css?raw'
import { Example, Row, Section, sample } from './section.tsx'

/** The tokens, as theme.css declares them. */
export function Tokens() {
  return (
    <Section title="Tokens">
      <Example name="Colours">
        {tokens('color').map((name) => (
          <Row key={name}>
            <span className="gallery-swatch rounded-control" style={{ background: `var(--color-${name})` }} />
            {name}
          </Row>
        ))}
      </Example>
      <Example name="Type">
        {tokens('text').map((name) => (
          <span
            key={name}
            style={{
              fontSize: `var(--text-${name})`,
              lineHeight: `var(--text-${name}--line-height)`,
              fontWeight: `var(--text-${name}--font-weight, 400)`,
              letterSpacing: `var(--text-${name}--letter-spacing, normal)`,
            }}
          >
            {name} {sample('明池 1,234.56', 'Clearwell 1,234.56')}
          </span>
        ))}
        <span className="font-mono">mono 0x70997970C51812dc3A010C7d01b50e0d17dc79C8</span>
        <span className="figures">figures 1,111.11 / 8,888.88</span>
      </Example>
      <Example name="Spacing">
        {[1, 2, 3, 4, 6, 8, 12].map((steps) => (
          <Row key={steps}>
            <span style={{ width: `calc(var(--spacing) * ${steps})`, height: 12, background: 'var(--color-accent)' }} />
            {steps} ({steps * 4} px)
          </Row>
        ))}
      </Example>
      <Example name="Radii">
        <Row>
          {tokens('radius').map((name) => (
            <span key={name} className="gallery-example text-label">
              <span className="gallery-swatch" style={{ borderRadius: `var(--radius-${name})` }} />
              {name}
            </span>
          ))}
        </Row>
      </Example>
      <Example name="Motion: ease-settle, duration-sheet (point at it or focus it)">
        <button type="button" aria-label="ease-settle" className="gallery-motion">
          <span className="gallery-moving rounded-control flex" />
        </button>
      </Example>
    </Section>
  )
}

/** The names of the tokens of a kind: `accent` of `--color-accent: …`. Tailwind drops unused ones. */
function tokens(kind: string): string[] {
  const declared = theme.slice(theme.indexOf('@theme'), theme.indexOf('@layer'))
  const names = [...declared.matchAll(new RegExp(`^ *--${kind}-([a-z-]+?): `, 'gm'))].map(([, name = '']) => name)
  return names.filter((name) => !name.includes('--'))
}
