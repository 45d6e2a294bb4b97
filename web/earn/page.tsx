// Earn: the start page with the customer's subscriptions and the open plans, one plan, or one
// subscription.
import { Route, Switch } from 'wouter';
import { Loaded, PageFrame } from '../components/layout.tsx';
import { useLive } from '../live/live.ts';
import { earnText as t } from '../messages/earn.ts';
import { useSession } from '../session/session.ts';
import { NotFound } from '../shell/notices.tsx';
import { earnFeeds } from './feeds.ts';
import { Holdings } from './holdings.tsx';
import { Offers } from './offer-list.tsx';
import { Invitation } from './parts.tsx';
import { PlanPage } from './plan-page.tsx';
import { SubscriptionPage } from './subscription-page.tsx';

export default function EarnPage() {
  return (
    <Switch>
      <Route path="/earn/plans/:planId">
        {({ planId }) => <PlanPage key={planId} planId={planId} />}
      </Route>
      <Route path="/earn/subscriptions/:applyId">
        {({ applyId }) => <SubscriptionPage key={applyId} applyId={applyId} />}
      </Route>
      <Route path="/earn">
        <Overview />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function Overview() {
  const { state } = useSession();
  const loggedIn = state === 'loggedIn';
  const offers = useLive(state === 'unknown' ? null : earnFeeds.offers(loggedIn));
  return (
    <PageFrame title={t.title} lead={t.lead}>
      {loggedIn ? <Holdings /> : null}
      {state === 'loggedOut' ? <Invitation /> : null}
      <Loaded live={offers} rows={8}>
        {(list) => <Offers offers={list} loggedIn={loggedIn} />}
      </Loaded>
    </PageFrame>
  );
}
