// A link from a plan or a subscription back to Earn.
import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import styles from './plan-page.module.css';

export const Back = () => (
  <Anchor component={Link} href="/earn" size="sm" className={styles.back}>
    <IconArrowLeft size={15} aria-hidden /> All plans and subscriptions
  </Anchor>
);
