export * from './applications.js';
export * from './factors.js';
export * from './notices.js';
export * from './password-link.js';
export * from './profile.js';
