import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import type { Block, BlockOf } from '../../content/payload-schema.ts'
import { m } from '../generated/messages.ts'
import { ContentFigure } from './figures.tsx'
import { Formula } from './formula.tsx'
import { LiveFigure, LiveText, useLiveConfig } from './live-text.tsx'

/** The blocks of a content page. */
export function ContentBlocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="flex min-w-0 flex-col gap-4 [overflow-wrap:anywhere]">
      {blocks.map((block, i) => (
        <ContentBlock key={i} block={block} />
      ))}
    </div>
  )
}

function ContentBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'heading':
      return <Heading block={block} />
    case 'paragraph':
      return (
        <p>
          <LiveText text={block.text} />
        </p>
      )
    case 'list':
      return <List block={block} />
    case 'formula':
      return <Formula name={block.name} spoken={block.spoken} note={block.note && <LiveText text={block.note} />} />
    case 'table':
      return <Table block={block} />
    case 'figure':
      return <ContentFigure block={block} />
    case 'live':
      return (
        <Card title={block.title} action={<Badge tone="pending">{m.content_live_badge()}</Badge>}>
          <FactList facts={block.facts.map(({ label, value }) => ({ label, value: <LiveFigure name={value} /> }))} />
        </Card>
      )
    case 'links':
      return <Links block={block} />
    case 'note':
      return (
        <p className="flex gap-3 rounded-card border border-line p-4 text-muted">
          <Icon name="info" className="mt-px" />
          <span className="min-w-0">
            <LiveText text={block.text} />
          </span>
        </p>
      )
  }
}

function Heading({ block: { id, text, feature } }: { block: BlockOf<'heading'> }) {
  const { data } = useLiveConfig()
  const opensLater = feature !== undefined && data?.features.includes(feature) === false
  if (id === undefined) return <h3 className="mt-2 font-semibold">{text}</h3>
  return (
    <div className="mt-6 flex flex-col items-start gap-2 border-t border-line pt-6">
      <h2 id={sectionElementId(id)} tabIndex={-1} className="scroll-mt-30 text-screen outline-none">
        {text}
      </h2>
      {opensLater && <Badge>{m.content_later()}</Badge>}
    </div>
  )
}

function List({ block: { ordered = false, items } }: { block: BlockOf<'list'> }) {
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <Tag className={`flex flex-col gap-2 ps-6 marker:text-muted ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map((item) => (
        <li key={item} className="ps-1">
          <LiveText text={item} />
        </li>
      ))}
    </Tag>
  )
}

function Table({ block: { caption, columns, rows } }: { block: BlockOf<'table'> }) {
  return (
    <table className="w-full border-collapse text-start [overflow-wrap:break-word]">
      <caption className="pb-2 text-start font-semibold">{caption}</caption>
      <thead>
        <tr className="border-b border-line">
          {columns.map((column) => (
            <th key={column} scope="col" className="py-2 pe-3 text-start text-label font-normal text-muted last:pe-0">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...rest]) => (
          <tr key={first} className="border-b border-line align-top">
            <th scope="row" className="py-2 pe-3 text-start font-normal">
              <LiveText text={first} />
            </th>
            {rest.map((cell, i) => (
              <td key={i} className="figures py-2 pe-3 text-muted last:pe-0">
                <LiveText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LINK_ROW = 'flex min-h-14 items-center gap-3 px-4 py-3 text-start hover:bg-input'

function Links({ block: { items } }: { block: BlockOf<'links'> }) {
  return (
    <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-card border border-line">
      {items.map((item) => (
        <li key={item.text}>
          {'href' in item ? (
            <ExternalLink href={new URL(item.href, location.origin).href} className={LINK_ROW}>
              <LinkWords text={item.text} detail={item.detail} />
              <Icon name="external-link" className="text-muted" />
              <span className="sr-only">{m.content_opens_beside()}</span>
            </ExternalLink>
          ) : (
            <Link
              to={`/{-$locale}${item.to}`}
              search={item.section === undefined ? {} : { section: item.section }}
              className={LINK_ROW}
            >
              <LinkWords text={item.text} detail={item.detail} />
              <Icon name="chevron-right" className="text-muted" />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function LinkWords({ text, detail }: { text: string; detail: string }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span>{text}</span>
      <span className="text-label text-muted">{detail}</span>
    </span>
  )
}

/** The element id of a section's heading, with a prefix that the app's own ids lack. */
export function sectionElementId(id: string): string {
  return `section-${id}`
}
