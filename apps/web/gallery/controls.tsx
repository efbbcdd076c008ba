import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { BrandMark, ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { DayField, SelectField } from '@clearwell/ui/components/choice-fields.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { PercentSteps } from '@clearwell/ui/components/percent-steps.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { RefreshControl } from '@clearwell/ui/components/refresh-control.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { RollingNumber } from '@clearwell/ui/components/rolling-number.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { ConfirmButton, Problem, SheetStage, Waiting, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { TextField } from '@clearwell/ui/components/text-field.tsx'
import { useState } from 'react'
import { ExactAmount } from '../src/components/exact-amount.tsx'
import { Example, Row, Section, sample } from './section.tsx'

const HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'
const LOOKS = ['main', 'quiet', 'danger'] as const
const STEPS = ['−1%', '−5%', '−10%'] as const
const CHOICES = ['day', 'week', 'month'] as const
const READ = { data: [], isError: false, isFetching: false, refetch: async () => {} }

export function Actions() {
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('day')
  const [step, setStep] = useState<(typeof STEPS)[number]>('−5%')
  const label = sample('確認', 'Confirm')
  return (
    <Section title="Actions">
      {LOOKS.map((look) => (
        <Example key={look} name={`Button, ${look}: default, with icon, busy, disabled, small`}>
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
            <Button look={look} size="small">
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
      <Example name="SheetStage: ConfirmButton, Warning, Problem, Waiting">
        <SheetStage name="review">
          <Warning text={sample('價格影響較高', 'High price impact')} />
          <Problem text={sample('餘額不足', 'Balance not enough')} />
          <Waiting text={sample('處理中', 'In progress')} />
          <ConfirmButton confirms="gallery" label={label} onPress={() => {}} />
        </SheetStage>
      </Example>
      <Example name="SegmentedControl">
        <SegmentedControl
          label={sample('期間', 'Period')}
          options={CHOICES.map((value) => ({ value, label: value }))}
          value={choice}
          onChange={setChoice}
        />
      </Example>
      <Example name="PercentSteps: one chosen">
        <PercentSteps
          steps={STEPS.map((text) => ({
            text,
            label: text,
            isChosen: text === step,
            onClick: () => setStep(text),
          }))}
        />
      </Example>
      <Example name="ExternalLink: allowed, rejected">
        <Row>
          <ExternalLink href="https://bscscan.com/">bscscan.com</ExternalLink>
          <ExternalLink href="ftp://example.com/">ftp://example.com/</ExternalLink>
        </Row>
      </Example>
      <Example name="RefreshControl: current, stale, reading">
        <Row>
          <RefreshControl query={READ} />
          <RefreshControl query={{ ...READ, isError: true }} />
          <RefreshControl query={{ ...READ, isFetching: true }} />
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
  const day = { label: sample('日期', 'Day'), value: '2030-01-01', onChange: () => {}, isDay: () => true }
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
      <Example name="SelectField, DayField: default, error">
        <SelectField {...line}>
          <option value={line.value}>09:00–10:00</option>
        </SelectField>
        <DayField {...day} />
        <DayField {...day} error={sample('請選擇今日或以後的日期', 'Choose today or a later day')} />
      </Example>
    </Section>
  )
}

export function Brand() {
  const [plays, setPlays] = useState(0)
  return (
    <Section title="Brand">
      <Example name="BrandMark, ProofSeal: 24 px, larger, with ripples">
        <Row>
          <BrandMark />
          <ProofSeal />
          <BrandMark className="size-12" />
          <ProofSeal className="size-12" />
        </Row>
        <Row>
          <Ripples>
            <BrandMark className="size-16" />
          </Ripples>
        </Row>
      </Example>
      <Example name="Success (play again)">
        <Success
          key={plays}
          title={sample('500 USDT 已到帳', '500 USDT arrived')}
          text={sample('可以閃兌或啟用帳戶。', 'You can swap it, or activate your account.')}
        >
          <Button onClick={() => setPlays(plays + 1)}>{sample('再看一次', 'Play again')}</Button>
          <Button look="quiet">{sample('返回錢包', 'Back to the wallet')}</Button>
        </Success>
      </Example>
    </Section>
  )
}

export function Figures() {
  const [total, setTotal] = useState(1234.56)
  return (
    <Section title="Figures">
      <Example name="AmountText: default, signed, cut (tap it), tiny; ExactAmount">
        <Row>
          <AmountText amount="1234.5" asset="USDT" />
          <AmountText amount="1.5" asset="BNB" signed />
          <AmountText amount="-1.5" asset="BNB" signed />
          <AmountText amount="0.123456789" decimals={4} />
          <AmountText amount="0.00000000123456789" asset="BNB" />
          <ExactAmount amount="0.166666666666666667" asset="BNB" text="0.166666 BNB" />
        </Row>
      </Example>
      <Example name="RollingNumber (press it)">
        <button type="button" onClick={() => setTotal(total + 17.31)} className="self-start text-total">
          <RollingNumber text={total.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} />
        </button>
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
          {(['plain', 'done', 'pending', 'warning'] as const).map((tone) => (
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
