// The fields of a new key: name, privileges and limits.
import { Checkbox, Select, Text, Textarea, TextInput } from '@mantine/core';
import type { Module } from '../../src/sdk/index.ts';
import { Panel } from '../components/panel.tsx';
import type { Expiry, Faults, KeyDraft } from './key-draft.ts';
import styles from './keys.module.css';
import { includedBy, offered, type Privilege } from './privileges.ts';

export interface KeyFieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly faults: Faults;
  readonly isEnterpriseAdmin: boolean;
}

const EXPIRIES: readonly { readonly value: Expiry; readonly label: string }[] = [
  { value: 'days30', label: '30 days' },
  { value: 'days90', label: '90 days' },
  { value: 'days365', label: 'A year' },
  { value: 'date', label: 'Until a date' },
  { value: 'never', label: 'Never' },
];

export function KeyFields({ draft, onChange, faults, isEnterpriseAdmin }: KeyFieldsProps) {
  const set = (more: Partial<KeyDraft>) => onChange({ ...draft, ...more });
  return (
    <>
      <Panel title="Name and privileges">
        <div className={styles.fields}>
          <TextInput
            label="Name"
            description="Tells your keys apart, such as the program and its machine."
            value={draft.alias}
            onChange={(event) => set({ alias: event.currentTarget.value })}
            error={faults.alias}
            autoComplete="off"
            autoFocus
            required
          />
        </div>
        <Privileges
          chosen={draft.modules}
          onChange={(modules) => set({ modules })}
          fault={faults.modules}
          isEnterpriseAdmin={isEnterpriseAdmin}
        />
      </Panel>
      <Panel title="Limits">
        <Limits draft={draft} set={set} faults={faults} />
      </Panel>
    </>
  );
}

interface PrivilegesProps {
  readonly chosen: readonly Module[];
  readonly onChange: (chosen: readonly Module[]) => void;
  readonly fault: string | undefined;
  readonly isEnterpriseAdmin: boolean;
}

function Privileges({ chosen, onChange, fault, isEnterpriseAdmin }: PrivilegesProps) {
  const included = includedBy(chosen);
  const toggle = (id: Module, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id));
  const box = ({ id, name, allows }: Privilege) => {
    const comesAlong = included.has(id);
    return (
      <Checkbox
        key={id}
        label={comesAlong ? `${name} (included)` : name}
        description={allows}
        checked={comesAlong || chosen.includes(id)}
        disabled={comesAlong}
        onChange={(event) => toggle(id, event.currentTarget.checked)}
      />
    );
  };
  const all = offered(isEnterpriseAdmin);
  return (
    <>
      <div className={`${styles.groups} ${styles.below}`}>
        {(['Trading', 'Earn'] as const).map((area) => (
          <fieldset key={area} className={styles.group}>
            <legend>{area}</legend>
            <div className={styles.choices}>
              {all.filter((privilege) => privilege.area === area).map(box)}
            </div>
          </fieldset>
        ))}
      </div>
      {fault === undefined ? null : (
        <Text size="sm" className="sell" mt="sm" role="alert">
          {fault}
        </Text>
      )}
      <Text size="sm" className="dim" mt="md">
        No key can withdraw money or change your account.
      </Text>
    </>
  );
}

interface LimitsProps {
  readonly draft: KeyDraft;
  readonly set: (more: Partial<KeyDraft>) => void;
  readonly faults: Faults;
}

function Limits({ draft, set, faults }: LimitsProps) {
  return (
    <div className={styles.fields}>
      <Textarea
        label="IP allowlist"
        description="One IP address or CIDR range per line. If empty, a stolen key works from any address."
        placeholder={'203.0.113.7\n10.0.0.0/8'}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.addresses}
        onChange={(event) => set({ addresses: event.currentTarget.value })}
        error={faults.addresses}
        spellCheck={false}
      />
      <div className={styles.pair}>
        <Select
          label="Expires"
          data={EXPIRIES}
          value={draft.expiry}
          onChange={(expiry) => set({ expiry: (expiry ?? 'days90') as Expiry })}
          allowDeselect={false}
        />
        {draft.expiry === 'date' ? (
          <TextInput
            type="date"
            label="Last day"
            value={draft.date}
            onChange={(event) => set({ date: event.currentTarget.value })}
            error={faults.date}
          />
        ) : null}
      </div>
      <Checkbox
        label="Strict client order IDs"
        description="An order whose clOrdId one of your open orders has is refused: a program that sends an order twice by mistake places it once."
        checked={draft.strict}
        onChange={(event) => set({ strict: event.currentTarget.checked })}
      />
    </div>
  );
}
