"""Random materials: every law, with stiffness over six orders of magnitude."""
SOLID_LAWS = ["neo_hookean", "stable_neo_hookean", "stvk", "linear", "mooney_rivlin"]
SHELL_LAWS = ["membrane", "shell"]


def damping(draw, keys):
    if draw.chance(0.25):
        keys["mass_damping"] = draw.scaled(0.01, 10)
    if draw.chance(0.3):
        keys["stiffness_damping"] = draw.scaled(1e-5, 1e-2)
    return keys


def poisson(draw):
    """Nearly incompressible every third time: that is where elements invert."""
    return draw.uniform(0.45, 0.495) if draw.chance(0.35) else draw.uniform(-0.1, 0.45)


def solid(draw):
    law = draw.pick(SOLID_LAWS)
    young, nu = draw.scaled(1e3, 1e9), poisson(draw)
    keys = {"law": law, "density": draw.scaled(50, 8000)}
    if law == "mooney_rivlin":
        half_shear, share = young / (4 * (1 + nu)), draw.uniform(0, 0.5)
        keys.update(c10=half_shear * (1 - share), c01=half_shear * share, bulk=young / (3 * (1 - 2 * nu)))
    else:
        keys.update(young=young, poisson=nu)
    return damping(draw, keys)


def shell(draw, size):
    """Thickness and modulus are drawn; a membrane then gets their products."""
    law, thickness = draw.pick(SHELL_LAWS), size * draw.scaled(5e-4, 2e-2)
    young, nu, density = draw.scaled(1e3, 1e9), draw.uniform(0, 0.495), draw.scaled(50, 8000)
    keys = {"law": law, "poisson": nu}
    if law == "shell":
        keys.update(thickness=thickness, young=young, density=density)
    else:
        keys.update(young=young * thickness, area_density=density * thickness)
        if draw.chance(0.7):
            keys["bending"] = young * thickness**3 / 36
    return damping(draw, keys)


def tension(material):
    """Young's modulus times thickness of a shell, N/m."""
    return material["young"] * material.get("thickness", 1)
