/** `serve`: the browser-hosted app until a signal ends it. */
import type { Action } from '../declarations/all.ts';
import { createSimulation } from '#rpc/hosting/index.ts';
import { loadAll } from '#engine/load-all.ts';
import type { HostConfirmation } from '#rpc/index.ts';
import { startServer } from '#server/index.ts';
import { EXIT } from '../exit-codes.ts';
import { askYes } from '../input/prompt.ts';
import type { Invocation } from '../invocation.ts';
import { isInteractive } from '../io.ts';
import { openBrowser } from '../open-browser.ts';

/** The page must not answer these itself, so the terminal asks. */
function askInTerminal(invocation: Invocation): HostConfirmation {
  return async ({ message, details }, signal) => {
    if (!isInteractive(invocation.io)) return 'nobody';
    invocation.out.note(['', ...details, invocation.out.say('cli.only-if-asked')].join('\n'));
    return (await askYes(invocation, message, signal)) === true ? 'yes' : 'no';
  };
}

export const serve: Action<'serve'> = async (invocation, { port, host, open }) => {
  // Its page asks the person.
  const engine = await invocation.open({ certificates: 'ask' });
  const simulation = createSimulation(engine, async (site) =>
    (await import('#simulator/index.ts')).startSite(site),
  );
  const stopped = invocation.interrupts.wait();
  const server = await startServer({
    engine,
    port,
    bindHost: host,
    host: {
      canSimulate: true,
      startSimulatedSite: (devices, signal) => simulation.startSimulatedSite(devices, signal),
      confirm: askInTerminal(invocation),
    },
  });
  let forgetLink: () => void = () => undefined;
  engine.openWork.doInBackground();
  engine.agreements.lookInBackground({ mayLook: () => true });
  try {
    invocation.out.jsonLine({ url: server.url });
    if (open) forgetLink = openBrowser(invocation, server.url);
    // A part that cannot be loaded now is tried again when it is needed.
    await loadAll().catch(() => undefined);
    await stopped;
    return EXIT.done;
  } finally {
    forgetLink();
    await server.close();
    await simulation.close();
  }
};
