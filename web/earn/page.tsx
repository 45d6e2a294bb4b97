// Earn: the start page, one plan, or one subscription.
import { Route, Switch } from 'wouter';
import { NotFound } from '../shell/notices.tsx';
import { Overview } from './overview.tsx';
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
