// Bullet's soft-body sheet in our scenes. It is a separate program, so that nothing else needs C++ or Bullet.
//   peer_bullet SCENE N SUBSTEPS ITERATIONS FRAMES
// SCENE is hang, sphere or sphere-self. Prints one line: least and mean milliseconds per frame of 1/60 s; largest, mean
// and 99th percentile stretch of edges; height of the centre of mass and of the lowest vertex. All but the times are
// after the last frame.
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static const double PI = 3.14159265358979323846;
static const btScalar MASS = btScalar(0.2); // kg

// The same ripple as in lab/bench/sheet.c.
static double ripple(double x, double y) { return 1e-3 * std::sin(6 * PI * x + 0.5) * std::sin(4 * PI * y + 0.3); }

static btSoftBody *hanging_sheet(btSoftBodyWorldInfo &world, int n) {
    btSoftBody *sheet = btSoftBodyHelpers::CreatePatch(world, btVector3(0, 0, 0), btVector3(1, 0, 0),
                                                       btVector3(0, -1, 0), btVector3(1, -1, 0), n, n, 1 + 2, true);
    sheet->setTotalMass(MASS);
    sheet->setMass(0, 0);
    sheet->setMass(n - 1, 0);
    for (int i = 0; i < sheet->m_nodes.size(); i++) {
        btSoftBody::Node &node = sheet->m_nodes[i];
        if (node.m_im > 0)
            node.m_x.setZ(btScalar(ripple(node.m_x.x(), node.m_x.y())));
        node.m_q = node.m_x;
    }
    sheet->m_cfg.collisions = 0;
    return sheet;
}

// Flat, 5 cm above a sphere of 0.25 m at the origin.
static btSoftBody *lying_sheet(btSoftBodyWorldInfo &world, int n, bool self) {
    const btScalar y = btScalar(0.3), half = btScalar(0.5);
    btSoftBody *sheet =
        btSoftBodyHelpers::CreatePatch(world, btVector3(-half, y, -half), btVector3(half, y, -half),
                                       btVector3(-half, y, half), btVector3(half, y, half), n, n, 0, true);
    sheet->setTotalMass(MASS);
    sheet->m_cfg.kDF = btScalar(0.5);
    sheet->getCollisionShape()->setMargin(btScalar(0.002));
    if (self) {
        sheet->m_cfg.collisions =
            btSoftBody::fCollision::CL_SS | btSoftBody::fCollision::CL_RS | btSoftBody::fCollision::CL_SELF;
        sheet->generateClusters(n * n / 64);
    }
    return sheet;
}

static void report(const btSoftBody &sheet, int n, double least, double mean) {
    std::vector<double> stretch;
    for (int i = 0; i < sheet.m_links.size(); i++) {
        const btSoftBody::Link &link = sheet.m_links[i];
        int apart = std::abs(int(link.m_n[0] - link.m_n[1]));
        if (apart == 1 || apart == n) // no diagonals
            stretch.push_back(
                std::max(0.0, double((link.m_n[0]->m_x - link.m_n[1]->m_x).length()) / double(link.m_rl) - 1));
    }
    std::sort(stretch.begin(), stretch.end());
    double sum = 0, height = 0, lowest = 1e30;
    for (double s : stretch)
        sum += s;
    for (int i = 0; i < sheet.m_nodes.size(); i++) {
        height += double(sheet.m_nodes[i].m_x.y());
        lowest = std::min(lowest, double(sheet.m_nodes[i].m_x.y()));
    }
    size_t edges = stretch.size();
    std::printf("%.5f %.5f %.6f %.6f %.6f %.5f %.5f\n", 1e3 * least, 1e3 * mean, stretch[edges - 1],
                sum / double(edges), stretch[edges * 99 / 100], height / sheet.m_nodes.size(), lowest);
    for (int i = 0; i < sheet.m_nodes.size(); i++) {
        const btVector3 &x = sheet.m_nodes[i].m_x;
        std::printf("%.9g %.9g %.9g\n", double(x.x()), double(x.y()), double(x.z()));
    }
}

int main(int argc, char **argv) {
    if (argc != 6) {
        std::fprintf(stderr, "usage: peer_bullet hang|sphere|sphere-self N SUBSTEPS ITERATIONS FRAMES\n");
        return 2;
    }
    const char *scene = argv[1];
    int n = std::atoi(argv[2]), substeps = std::atoi(argv[3]), iterations = std::atoi(argv[4]);
    int frames = std::atoi(argv[5]);
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, btScalar(-9.81), 0));
    world.getWorldInfo().m_gravity = world.getGravity();
    world.getWorldInfo().m_sparsesdf.Initialize();
    btSphereShape ball(btScalar(0.25));
    btDefaultMotionState still;
    btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(0, &still, &ball));
    body.setFriction(btScalar(0.5));
    bool hang = std::strcmp(scene, "hang") == 0;
    btSoftBody *sheet = hang ? hanging_sheet(world.getWorldInfo(), n)
                             : lying_sheet(world.getWorldInfo(), n, std::strcmp(scene, "sphere-self") == 0);
    sheet->m_cfg.piterations = iterations;
    if (!hang)
        world.addRigidBody(&body);
    world.addSoftBody(sheet);
    double least = 1e30, sum = 0;
    for (int i = 0; i < frames; i++) {
        double start = now();
        world.stepSimulation(btScalar(1.0 / 60), substeps, btScalar(1.0 / 60 / substeps));
        double took = now() - start;
        least = std::min(least, took);
        sum += took;
    }
    report(*sheet, n, least, sum / frames);
    world.removeSoftBody(sheet);
    if (!hang)
        world.removeRigidBody(&body);
    delete sheet;
    return 0;
}
