export * from './feed-form.js';
export * from './feeds.js';
