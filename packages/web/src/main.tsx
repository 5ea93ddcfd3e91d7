// The page: logs this browser in, connects, and renders.
import { earlyLoginSent } from './device/login.ts';
import './zod-without-eval.ts';
import './looks/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { preloadPage } from './app/pages.ts';
import { connect } from './data/connect.ts';
import type { FleetWorld } from './data/fleet.ts';
import { pause } from './data/timing.ts';
import { FleetProvider, toShownFleet } from './data/use-fleet.tsx';
import { createKeyBoard } from './keys/key-board.ts';
import { usesSingleKeys } from './keys/single-keys.ts';
import { KeyBoardProvider } from './keys/use-action.ts';

const TICK_MS = 1_000;
/** The login waits for the runner while the page is rendered, unless the network is slow. */
const LOGIN_FIRST_MS = 100;

preloadPage(location.pathname);
const entrance = connect();
const { fleet } = entrance;
const keyBoard = createKeyBoard({ usesSingleKeys });
keyBoard.listen(document);
const place = document.getElementById('app');
if (!place) throw new Error('the page has no #app');
await Promise.race([earlyLoginSent, pause(LOGIN_FIRST_MS)]);
createRoot(place).render(
	<FleetProvider value={toShownFleet(entrance)}>
		<KeyBoardProvider value={keyBoard}>
			<App />
		</KeyBoardProvider>
	</FleetProvider>,
);
fleet.onChange(() => document.documentElement.toggleAttribute('data-offline', isOffline(fleet.worlds())));
setInterval(() => document.visibilityState === 'visible' && fleet.tick(), TICK_MS);

function isOffline(worlds: readonly FleetWorld[]): boolean {
	return worlds.length > 0 && worlds.every(({ world }) => world.offline !== null);
}
