// The mark and the name.
import styles from './shell.module.css';

export function Logo() {
  return (
    <span className={styles.logo}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#5b5bf0" />
        <path
          d="M8 22.5 13.2 9.5h2.9L21.4 22.5M10.3 17.6h8.7"
          fill="none"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="24.2" cy="9.4" r="2.3" fill="#7ff0c3" />
      </svg>
      agio
    </span>
  );
}
