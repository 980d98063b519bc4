import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { texts } from './copy/index.js';
import icon from './icon.svg';
import { useMe } from './session/session.js';
import { signOut } from './session/sign-in.js';

/** What is around every page: where one can go, and who is here. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {texts.common.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.common.menu}
            />
            <img src={icon} alt="" width={26} height={26} />
            <Text fw={700}>Rollcall</Text>
          </Group>
          <WhoIsHere />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <nav aria-label={texts.common.pages}>
          <Places onGone={close} />
        </nav>
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
    </AppShell>
  );
}

function Places({ onGone }: { onGone: () => void }) {
  const [location] = useLocation();
  const { scopes } = useMe();
  const mayWrite = scopes.includes('users:write');
  const places = [
    { to: '/people', label: texts.common.people, isShown: true, isHere: location.startsWith('/people') },
    {
      to: '/bulk/update',
      label: texts.common.bulkUpdate,
      isShown: mayWrite,
      isHere: location === '/bulk/update',
    },
    {
      to: '/bulk/create',
      label: texts.common.bulkCreate,
      isShown: mayWrite,
      isHere: location === '/bulk/create',
    },
    {
      to: '/activity',
      label: texts.common.activity,
      isShown: true,
      isHere: location.startsWith('/activity'),
    },
  ];
  return places
    .filter(({ isShown }) => isShown)
    .map(({ to, label, isHere }) => (
      <NavLink
        key={to}
        component={Link}
        href={to}
        label={label}
        active={isHere}
        variant="light"
        className="place"
        aria-current={isHere ? 'page' : undefined}
        onClick={onGone}
      />
    ));
}

function WhoIsHere() {
  const me = useMe();
  const called = me.name ?? me.username ?? '';
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = {
    auto: texts.common.coloursAuto,
    light: texts.common.coloursLight,
    dark: texts.common.coloursDark,
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{texts.common.yourAccount}</VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" truncate maw={160} visibleFrom="xs">
              {called}
            </Text>
            <ActionIcon component="span" variant="light" radius="xl" aria-hidden>
              {called.slice(0, 1).toUpperCase()}
            </ActionIcon>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.session.role(me.role)}</Menu.Label>
        <Menu.Item component={Link} href="/account">
          {texts.session.changePassword}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.common.colours}</Menu.Label>
        {(Object.keys(schemes) as (keyof typeof schemes)[]).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={scheme === colorScheme ? 'true' : undefined}
            fw={scheme === colorScheme ? 700 : undefined}
          >
            {schemes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{texts.session.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
