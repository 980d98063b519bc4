import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './compressed.js';

/** Built into the service, which serves it; `npm run dev -w @rollcall/console` talks to a service on its usual port. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0, // no data: URLs, which the content policy would have to allow
    modulePreload: { polyfill: false }, // an inline script
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '/service': 'http://localhost:8080', '/oauth': 'http://localhost:8080' } },
});
