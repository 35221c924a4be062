/** The tests that the mutation task runs: those that need no page. Each of its runners would start a Chromium for the others. */
import config from '../../../vitest.config.ts';

const WITHOUT_PAGE = ['unit', 'integration'];

export default {
  test: {
    ...config.test,
    projects: config.test.projects.filter(({ test }) => WITHOUT_PAGE.includes(test.name)),
  },
};
