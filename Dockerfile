# No test builds this image, since that takes minutes and a network; `./weft release --image` does (docs/releases.md). What its
# last stage says is tested without one (scripts/deploy-files.test.ts): the server runs
# as another user on files that cannot be written, and HEALTHCHECK tells when it answers. Run it with --read-only --tmpfs /tmp
# --cap-drop ALL --security-opt no-new-privileges, as compose.yaml does.
# The base is not pinned here, where nobody could look its digest up. A release wants one; pin it for your own builds, too:
# --build-arg NODE_IMAGE=node:24.21.0-slim@sha256:… (`docker buildx imagetools inspect node:24.21.0-slim` prints it).
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS builder
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund \
  && node scripts/ensure-builder.mjs && node scripts/server-bundle.mjs \
  && mkdir -p .cache/embedder && (node scripts/embedder/install.mjs || true)

FROM ${NODE_IMAGE}
WORKDIR /app
COPY . .
COPY --from=builder /app/packages/builder/dist packages/builder/dist
COPY --from=builder /app/packages/widget/dist packages/widget/dist
COPY --from=builder /app/.cache/server .cache/server
COPY --from=builder /app/.cache/embedder .cache/embedder
# What serves, and not what the pages were built with. The base image is the Node; the pinned one (an optional dependency)
# would be a second.
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund \
    --workspace=packages/server --workspace=packages/workbench --workspace=apps/event-api \
  && npm cache clean --force \
  && mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--expose-gc", "scripts/start.mjs"]
