import './mantine.css';
import './main.css';
import './forced-colors.css';
import './print.css';
import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { commonCopy } from './copy/copy.js';
import { queryClient } from './session/api.js';

const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 }, // WCAG contrast for white text
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': commonCopy.close },
        styles: {
          title: {
            fontSize: 'var(--mantine-font-size-lg)',
            fontWeight: 600,
            lineHeight: 1.35,
            overflowWrap: 'anywhere',
          },
        },
        attributes: { header: { role: 'presentation' } }, // otherwise a second banner landmark
      },
    },
    // At a high zoom, a menu is higher than the window. `main.css` lets it scroll.
    Menu: { defaultProps: { middlewares: { flip: true, shift: true, size: true } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': commonCopy.close } } },
  },
});
const colorSchemes = localStorageColorSchemeManager({ key: 'rollcall.colours' });

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemes}>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
