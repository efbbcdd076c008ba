import { useState } from 'react'
import { AmountField } from '../src/components/amount-field.tsx'
import { AmountText } from '../src/components/amount-text.tsx'
import { Badge } from '../src/components/badge.tsx'
import { Button } from '../src/components/button.tsx'
import { CopyButton } from '../src/components/copy-button.tsx'
import { ExternalLink } from '../src/components/external-link.tsx'
import { HashText } from '../src/components/hash-text.tsx'
import { IconButton } from '../src/components/icon-button.tsx'
import { PriceChange } from '../src/components/price-change.tsx'
import { SegmentedControl } from '../src/components/segmented-control.tsx'
import { Stat } from '../src/components/stat.tsx'
import { TextField } from '../src/components/text-field.tsx'
import { Example, Row, Section, sample } from './section.tsx'

const HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'
const LOOKS = ['main', 'quiet', 'danger'] as const
const CHOICES = ['day', 'week', 'month'] as const

export function Actions() {
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('day')
  const label = sample('確認', 'Confirm')
  return (
    <Section title="Actions">
      {LOOKS.map((look) => (
        <Example key={look} name={`Button, ${look}: default, with icon, busy, disabled`}>
          <Row>
            <Button look={look}>{label}</Button>
            <Button look={look} icon="wallet">
              {label}
            </Button>
            <Button look={look} busy>
              {label}
            </Button>
            <Button look={look} disabled>
              {label}
            </Button>
          </Row>
        </Example>
      ))}
      <Example name="IconButton, CopyButton">
        <Row>
          <IconButton icon="menu" label={sample('選單', 'Menu')} />
          <IconButton icon="menu" label={sample('選單', 'Menu')} disabled />
          <CopyButton text={HASH} />
        </Row>
      </Example>
      <Example name="SegmentedControl">
        <SegmentedControl
          label={sample('期間', 'Period')}
          options={CHOICES.map((value) => ({ value, label: value }))}
          value={choice}
          onChange={setChoice}
        />
      </Example>
      <Example name="ExternalLink: allowed, rejected">
        <Row>
          <ExternalLink href="https://bscscan.com/">bscscan.com</ExternalLink>
          <ExternalLink href="ftp://example.com/">ftp://example.com/</ExternalLink>
        </Row>
      </Example>
    </Section>
  )
}

export function Inputs() {
  const [amount, setAmount] = useState('')
  const [text, setText] = useState('')
  const field = { label: sample('數量', 'Amount'), asset: 'USDT', value: amount, onChange: setAmount }
  const line = { label: sample('交易雜湊', 'Transaction hash'), value: text, onChange: setText }
  return (
    <Section title="Inputs">
      <Example name="AmountField: default, with balance, hint, error, disabled, read-only">
        <AmountField {...field} />
        <AmountField {...field} balance="1234.5678" />
        <AmountField {...field} hint={sample('最少 10 USDT', 'At least 10 USDT')} />
        <AmountField {...field} balance="5" error={sample('可用餘額不足', 'Not enough available')} />
        <AmountField {...field} value="12.5" balance="20" disabled />
        <AmountField {...field} value="12.5" readOnly />
      </Example>
      <Example name="TextField: default, mono with a control, hint, error">
        <TextField {...line} placeholder="0x…" />
        <TextField {...line} value={HASH} mono aside={<CopyButton text={HASH} />} />
        <TextField {...line} hint={sample('64 個十六進位數字', '64 hex digits')} />
        <TextField {...line} error={sample('這不是交易雜湊', 'This is not a transaction hash')} />
      </Example>
    </Section>
  )
}

export function Figures() {
  return (
    <Section title="Figures">
      <Example name="AmountText: default, signed, cut">
        <Row>
          <AmountText amount="1234.5" asset="USDT" />
          <AmountText amount="1.5" asset="BNB" signed />
          <AmountText amount="-1.5" asset="BNB" signed />
          <AmountText amount="0.123456789" decimals={4} />
        </Row>
      </Example>
      <Example name="PriceChange: up, down, unchanged">
        <Row>
          <PriceChange fraction="0.0123" />
          <PriceChange fraction="-0.0456" />
          <PriceChange fraction="0" />
        </Row>
      </Example>
      <Example name="Stat: body, screen, total">
        {(['body', 'screen', 'total'] as const).map((size) => (
          <Stat key={size} label={sample('總值', 'Total value')} value="1,234.56" detail="≈ 2 BNB" size={size} />
        ))}
      </Example>
      <Example name="Badge">
        <Row>
          {(['plain', 'accent', 'up', 'down', 'warn'] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
      </Example>
      <Example name="HashText: without and with an explorer">
        <HashText hash={HASH} copyLabel={sample('複製交易雜湊', 'Copy the hash')} />
        <HashText hash={HASH} explorer="https://bscscan.com" copyLabel={sample('複製交易雜湊', 'Copy the hash')} />
      </Example>
    </Section>
  )
}
