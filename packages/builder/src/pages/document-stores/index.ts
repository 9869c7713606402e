import { lazyRouteComponent } from "@tanstack/react-router";

export const DocumentStoresPage = lazyRouteComponent(() => import("./document-stores-page.tsx"), "DocumentStoresPage");
export const LoaderPage = lazyRouteComponent(() => import("./loader/loader-editor.tsx"), "LoaderPage");
export const NewLoaderPage = lazyRouteComponent(() => import("./loader/loader-editor.tsx"), "NewLoaderPage");
export const ChunksPage = lazyRouteComponent(() => import("./chunks/chunks-page.tsx"), "ChunksPage");

export { DocumentStorePage, readStoreSearch } from "./store/index.ts";
