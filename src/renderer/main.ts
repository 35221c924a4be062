import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './app/App.vue';
import { createAppI18n } from './app/i18n.ts';
import { createAppRouter } from './app/router.ts';
import { createClient, pickTransport } from './client/index.ts';
import { usePreferences } from './composables/preferences.ts';
import { provideClient } from './client/use-client.ts';
import { kit } from './components/ui/kit.ts';
import './styles/base.css';

provideClient(createClient(pickTransport()));
createApp(App)
  .use(kit)
  .use(createPinia())
  .use(createAppI18n(usePreferences().language.value))
  .use(createAppRouter())
  .mount('#app');
