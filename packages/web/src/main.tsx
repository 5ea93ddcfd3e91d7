// The page: logs this browser in, connects, and renders.
import './zod-without-eval.ts';
import './looks/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { connect } from './data/connect.ts';
import { createPaced, PacedProvider } from './data/use-world.ts';

const TICK_MS = 1_000;

const { source, logOut } = connect();
const place = document.getElementById('app');
if (!place) throw new Error('the page has no #app');
createRoot(place).render(
	<PacedProvider value={createPaced(source)}>
		<App logOut={logOut} />
	</PacedProvider>,
);
setInterval(() => document.visibilityState === 'visible' && source.tick(), TICK_MS);
