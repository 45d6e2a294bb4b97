// What is shown in place of a page: it does not exist, or one has to log in for it.
import { Button, Group } from '@mantine/core';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Link, useLocation, useSearch } from 'wouter';
import { withSearch } from '../account/address.ts';
import { Empty } from '../components/states.tsx';

export function NotFound() {
  return (
    <Empty
      icon={<IconMapOff size={30} stroke={1.5} />}
      title="There is no such page"
      action={
        <Button component={Link} href="/trade" variant="default">
          To trading
        </Button>
      }
    />
  );
}

export function LoginNeeded({ title }: { readonly title: string }) {
  const [path] = useLocation();
  const next = `?next=${encodeURIComponent(withSearch(path, useSearch()))}`;
  return (
    <Empty
      icon={<IconLock size={30} stroke={1.5} />}
      title={`Log in to see “${title}”`}
      action={
        <Group gap="xs" mt={6}>
          <Button component={Link} href={`/login${next}`}>
            Log in
          </Button>
          <Button component={Link} href={`/register${next}`} variant="default">
            Create an account
          </Button>
        </Group>
      }
    />
  );
}
