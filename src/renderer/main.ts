import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './app/App.vue';
import { reportFaults } from './app/faults.ts';
import { createAppI18n, showLanguage } from './app/i18n.ts';
import { createAppRouter } from './app/router.ts';
import { createClient, pickTransport } from './client/index.ts';
import { usePreferences } from './composables/preferences.ts';
import { provideClient } from './client/use-client.ts';
import { parts } from './common/parts.ts';
import { kit } from './components/ui/kit.ts';
import './styles/base.css';

provideClient(createClient(pickTransport()));
const i18n = createAppI18n();
await showLanguage(i18n.global, usePreferences().language.value);
const app = createApp(App).use(kit).use(parts).use(createPinia()).use(i18n).use(createAppRouter());
reportFaults(app);
app.mount('#app');
