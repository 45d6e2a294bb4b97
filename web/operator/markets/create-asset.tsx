// A new asset.
import { Anchor, Button, Checkbox, Group, TextInput } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { divideDown, fixedDown } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { fieldOf, textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { toAsset } from './instrument.ts';

const smallest = (scale: number): string =>
  fixedDown(divideDown('1', `1${'0'.repeat(scale)}`, scale), scale);

const sentences = ({ asset, scale, fiat }: operator.NewAsset) => [
  `Customers can own ${asset}, in units of ${smallest(scale)} ${asset} at the least. This never changes.`,
  fiat
    ? 'It counts as a national currency, and is marked so in the lists.'
    : 'It counts as a crypto asset.',
  'Nobody owns any yet: credit what customers bring. To trade it, list a pair.',
];

export function CreateAsset() {
  const [, navigate] = useLocation();
  const listed = useLive(feeds.assets).data ?? [];
  const form = useForm({ asset: '', scale: '8', fiat: false });
  const checked = toAsset(form.values, listed);
  const create = useAction(operator.createAsset, {
    done: ({ asset }) => `${asset} is listed.`,
    refreshes: [keys.assets, keys.trialBalance, ['assets']],
    onDone: () => navigate('/operator/markets'),
  });
  return (
    <PageFrame
      title="List an asset"
      lead={
        <Anchor component={Link} href="/operator/markets" size="sm">
          All markets
        </Anchor>
      }
    >
      <div className={parts.split}>
        <Panel>
          <FormFrame
            onSubmit={() => {
              form.tryIt();
              if (checked.ok) create.run(checked.body);
            }}
          >
            <TextInput
              label="Name"
              description="Capital letters and digits, such as BTC. It never changes."
              autoComplete="off"
              autoCapitalize="characters"
              {...textFieldOf(form, 'asset', checked)}
            />
            <DecimalInput
              label="Decimals"
              description="How far an amount can be divided: 8 for BTC, 2 for most currencies. It never changes."
              whole
              {...fieldOf(form, 'scale', checked)}
            />
            <Checkbox
              label="National currency"
              checked={form.values.fiat}
              onChange={(event) => form.set('fiat', event.currentTarget.checked)}
            />
            <RefusalNote error={create.error} />
            <Group>
              <Button type="submit" loading={create.pending}>
                List the asset
              </Button>
            </Group>
          </FormFrame>
        </Panel>
        <Preview method="POST" path="/assets" checked={checked} sentences={sentences} />
      </div>
    </PageFrame>
  );
}
