import {
  ActionIcon,
  AppShell,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useAttributes } from './components/attributes.js';
import { leaveFor } from './components/navigation-guard.js';
import { loadNotifications, notify } from './components/notify.js';
import { commonCopy, sessionCopy } from './copy/copy.js';
import { type Language, language, languageChoices, languages, switchLanguage } from './copy/language.js';
import icon from './icon.svg';
import { useLiveUpdates } from './live/use-live-updates.js';
import { HeaderSearch, MenuButton, NavLinks } from './navigation/navigation.js';
import { useShortcuts } from './navigation/use-shortcuts.js';
import { rollcall } from './session/api.js';
import { useCurrentUser } from './session/session.js';
import { signOut } from './session/sign-in.js';

const paletteDelayMs = 2_000;
const loadPalette = () => import('./palette/command-palette.js');
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }));
const Notifications = lazy(async () => ({ default: (await loadNotifications()).Notifications }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./palette/shortcuts-dialog.js')).ShortcutsDialog,
}));

export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [dialog, setDialog] = useState<'palette' | 'shortcuts'>();
  const openPalette = () => setDialog('palette');
  const openShortcuts = () => setDialog('shortcuts');
  useShortcuts({ onPalette: openPalette, onHelp: openShortcuts });
  useLiveUpdates();
  useAttributes(); // pages show them at once
  // Loaded before it is needed, so that nothing typed after the shortcut is lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), paletteDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {commonCopy.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <MenuButton isOpen={isOpen} onToggle={toggle} />
            <Brand />
          </Group>
          <HeaderSearch onOpen={openPalette} />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <nav aria-label={commonCopy.pages}>
          <NavLinks onGone={close} />
        </nav>
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
      <Messages />
      <Suspense>
        {dialog === 'palette' && (
          <CommandPalette onClose={() => setDialog(undefined)} onShortcuts={openShortcuts} />
        )}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </AppShell>
  );
}

/** For users without a role, who have nothing but their account. */
export function AccountShell({ children }: { children: ReactNode }) {
  return (
    <AppShell header={{ height: 52 }} padding="md">
      <a className="skip-link" href="#content">
        {commonCopy.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Brand />
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content">{children}</AppShell.Main>
      <Messages />
    </AppShell>
  );
}

/** Where they cover neither menus nor the buttons of a page. */
function Messages() {
  return (
    <Suspense>
      <Notifications position="bottom-left" containerWidth={340} limit={3} />
    </Suspense>
  );
}

function Brand() {
  return (
    <>
      <img src={icon} alt="" width={26} height={26} />
      <Text fw={700} visibleFrom="xs">
        Rollcall
      </Text>
    </>
  );
}

function AccountMenu() {
  const me = useCurrentUser();
  const called = me.name ?? me.signInName ?? '';
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = commonCopy.themes;
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{commonCopy.yourAccount}</VisuallyHidden>
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
        <Menu.Label>{sessionCopy.role(me.role)}</Menu.Label>
        <Menu.Item component={Link} href="/account">
          {commonCopy.yourAccount}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{commonCopy.theme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}
        >
          {(Object.keys(schemes) as (keyof typeof schemes)[]).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {schemes[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item onClick={() => leaveFor(() => void signOut())}>{sessionCopy.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems() {
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{commonCopy.language}</Menu.Label>
      <Menu.RadioGroup
        value={language}
        onChange={(choice) => leaveFor(() => void chooseLanguage(choice as Language))}
      >
        {languageChoices.map(([choice, name]) => (
          <Menu.RadioItem key={choice} value={choice} lang={choice} closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** For the console and for messages. If the service can't store it, the console changes nevertheless. */
async function chooseLanguage(language: Language): Promise<void> {
  await rollcall.call('setOwnLanguage', { body: { language } }).catch(() => {});
  if (!switchLanguage(language)) notify(sessionCopy.languageLater(languages[language]));
}
