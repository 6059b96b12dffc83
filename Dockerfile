# Two stages: everything is built with the development tools, and only what runs is kept.
FROM node:22-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
COPY prisma prisma
COPY tsconfig.json tsconfig.build.json ./
COPY src src
# Installs (compiling better-sqlite3 where no prebuilt binary fits), generates the database clients and compiles.
RUN node scripts/bootstrap.mjs && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    BECKON_HOST=0.0.0.0 \
    BECKON_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/prisma/migrations prisma/migrations
COPY bin bin
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/beckon.js", "serve"]
