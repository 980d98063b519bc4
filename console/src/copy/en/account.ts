export * from './applications.js';
export * from './factors.js';
