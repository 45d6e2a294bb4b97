// The ways within one area of the console.
import { Link, useLocation } from 'wouter';
import styles from './parts.module.css';

export interface SubNavProps {
  readonly label: string;
  readonly ways: readonly { readonly path: string; readonly title: string }[];
}

export function SubNav({ label, ways }: SubNavProps) {
  const [location] = useLocation();
  return (
    <nav className={styles.subnav} aria-label={label}>
      {ways.map(({ path, title }) => (
        <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
