import { render } from 'preact';

const root = document.getElementById('app');
if (root) render(<h1>{location.pathname}</h1>, root);
